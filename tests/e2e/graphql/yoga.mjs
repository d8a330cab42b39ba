/** Tasks on GraphQL Yoga, which masks its errors; three mistakes, and refusals that are none. */
import { createServer } from 'node:http';
import { createSchema, createYoga, createGraphQLError } from 'graphql-yoga';

const tasks = new Map();
let next = 1;
const schema = createSchema({
  typeDefs: /* GraphQL */ `
    enum Status { OPEN DONE }
    scalar DateTime
    interface Node { id: ID! }
    type Task implements Node { id: ID!, title: String!, status: Status!, due: DateTime, priority: Int!, subtasks: [Task!]! }
    type Project implements Node { id: ID!, name: String! }
    union Found = Task | Project
    input TaskFilter { status: Status, minPriority: Int, text: String, not: TaskFilter }
    input Move @oneOf { before: ID, after: ID, position: Int }
    type Query { tasks(filter: TaskFilter): [Task!]!  node(id: ID!): Node  find(text: String!): [Found!]!  average: Float! }
    type Mutation {
      addTask(title: String!, due: DateTime, priority: Int! = 1, parent: ID): Task!
      setStatus(id: ID!, status: Status!): Task!
      moveTask(id: ID!, move: Move!): Int!
    }
  `,
  resolvers: {
    Node: { __resolveType: (node) => (node.id.startsWith('t') ? 'Task' : 'Project') },
    Found: { __resolveType: (found) => (found.title ? 'Task' : 'Project') },
    Query: {
      tasks: (_, { filter }) => [...tasks.values()].filter((task) => matches(task, filter ?? {})),
      node: (_, { id }) => tasks.get(id) ?? (id === 'project-1' ? { id, name: 'Home' } : null),
      find: (_, { text }) => [...tasks.values()].filter((task) => task.title.includes(text)),
      average: () => [...tasks.values()].reduce((sum, task) => sum + task.priority, 0) / tasks.size, // fault: no tasks
    },
    Mutation: {
      addTask(_, { title, due, priority, parent }) {
        if (priority > 5) throw createGraphQLError('priority is 1 to 5', { extensions: { code: 'BAD_USER_INPUT' } });
        const task = { id: `t${next++}`, title, due, priority, status: 'OPEN', subtasks: [] };
        if (parent) tasks.get(parent).subtasks.push(task); // fault: no such parent
        tasks.set(task.id, task);
        return task;
      },
      setStatus(_, { id, status }) {
        const task = tasks.get(id);
        if (task === undefined) throw createGraphQLError('no such task');
        if (status === 'DONE' && task.subtasks.some((sub) => sub.status === 'OPEN')) throw createGraphQLError('subtasks are open');
        task.status = status;
        return task;
      },
      moveTask(_, { id, move }) {
        const order = [...tasks.keys()];
        if (move.position !== undefined) return move.position < 0 ? Number.NaN : move.position; // fault: no such place
        return order.indexOf(move.before ?? move.after);
      },
    },
  },
});
function matches(task, filter) {
  if (filter.status && task.status !== filter.status) return false;
  if (filter.minPriority && task.priority < filter.minPriority) return false;
  if (filter.text && !task.title.includes(filter.text)) return false;
  return !(filter.not && matches(task, filter.not));
}
createServer(createYoga({ schema })).listen(Number(process.env.PORT));
