import express from 'express';
import helmet from 'helmet';
import { agents } from './routes/agents.js';
import { comments } from './routes/comments.js';
import { tickets } from './routes/tickets.js';

export function createApp() {
  const app = express();
  app.use(helmet());
  app.use(express.json());
  app.get('/openapi.yaml', (req, res) => res.sendFile(new URL('../openapi.yaml', import.meta.url).pathname));
  app.use('/tickets', tickets);
  app.use('/tickets/:id/comments', comments);
  app.use('/agents', agents);
  app.use((error, req, res, next) => {
    if (res.headersSent) return next(error);
    if (error.status) return res.status(error.status).json({ error: error.message });
    console.error(error);
    return res.status(500).json({ error: 'internal error' });
  });
  return app;
}
