import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { readFileSync } from 'node:fs';
import { loaders } from './loaders.js';
import { resolvers } from './resolvers.js';

const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');
const server = new ApolloServer({ typeDefs, resolvers, introspection: true });

const { url } = await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT ?? 4000) },
  context: async () => ({ loaders: loaders() }),
});
console.log(`festival at ${url}`);
