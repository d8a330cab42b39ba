/** Users and posts on Apollo Server, which tells stacks in its errors while it is developed; four mistakes, and refusals that are none. */
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { GraphQLError } from 'graphql';

const typeDefs = `#graphql
  enum Role { USER ADMIN }
  type User { id: ID!, name: String!, email: String!, role: Role!, posts(first: Int = 5): [Post!]! }
  type Post { id: ID!, title: String!, body: String, author: User!, tags: [String!]!, publishedAt: String }
  input PostInput { title: String!, body: String, authorId: ID!, tags: [String!] }
  type PageInfo { hasNextPage: Boolean!, endCursor: String }
  type PostEdge { cursor: String!, node: Post! }
  type PostConnection { edges: [PostEdge!]!, pageInfo: PageInfo! }
  type Query {
    users(role: Role): [User!]!
    user(id: ID!): User
    posts(first: Int, after: String): PostConnection!
    searchPosts(pattern: String!): [Post!]!
    age(birthday: String!): Int!
    now: String!
  }
  type Mutation {
    createUser(name: String!, email: String!, role: Role): User!
    createPost(post: PostInput!): Post!
    publishPost(id: ID!, at: String): Post!
    deletePost(id: ID!): Boolean!
  }
`;
const users = new Map([['1', { id: '1', name: 'Ada', email: 'ada@example.org', role: 'ADMIN' }]]);
const posts = new Map();
let next = 1;
const notFound = (what) => new GraphQLError(`no such ${what}`, { extensions: { code: 'NOT_FOUND' } });
const resolvers = {
  Query: {
    users: (_, { role }) => [...users.values()].filter((user) => !role || user.role === role),
    user: (_, { id }) => users.get(id),
    posts(_, { first = 10, after }) {
      const all = [...posts.values()];
      const start = after ? all.findIndex((p) => p.id === Buffer.from(after, 'base64').toString()) + 1 : 0;
      const page = all.slice(start, start + first);
      return {
        edges: page.map((node) => ({ cursor: Buffer.from(node.id).toString('base64'), node })),
        pageInfo: { hasNextPage: start + first < all.length, endCursor: page.length ? Buffer.from(page.at(-1).id).toString('base64') : null },
      };
    },
    searchPosts: (_, { pattern }) => [...posts.values()].filter((post) => new RegExp(pattern).test(post.title)), // fault: any pattern
    age(_, { birthday }) {
      const date = new Date(birthday);
      return Math.floor((Date.now() - date.getTime()) / (365.25 * 24 * 3600 * 1000));
    },
    now: () => new Date().toISOString(),
  },
  Mutation: {
    createUser(_, { name, email, role }) {
      if (!/^[^@ ]+@[^@ ]+$/.test(email)) throw new GraphQLError('bad email', { extensions: { code: 'BAD_USER_INPUT' } });
      const user = { id: String(users.size + 1), name, email, role: role ?? 'USER' };
      users.set(user.id, user);
      return user;
    },
    createPost(_, { post }) {
      const made = { id: `p${next++}`, tags: [], ...post, // fault: tags may be null
        createdAt: new Date().toISOString() };
      posts.set(made.id, made);
      return made;
    },
    publishPost(_, { id, at }) {
      const post = posts.get(id);
      if (!post) throw notFound('post');
      post.publishedAt = (at ? new Date(at) : new Date()).toISOString(); // fault: any text
      return post;
    },
    deletePost: (_, { id }) => posts.delete(id),
  },
  User: { posts: (user, { first }) => [...posts.values()].filter((post) => post.authorId === user.id).slice(0, first) },
  Post: { author: (post) => users.get(post.authorId) }, // fault: no such user
};
const server = new ApolloServer({ typeDefs, resolvers });
await startStandaloneServer(server, { listen: { port: Number(process.env.PORT) } });
