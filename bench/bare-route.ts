import { text } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

// The baseline of the bench 'questions': serves the bytes from standard input on a port.
const bytes = await text(process.stdin)
const app = new Hono()
app.get('/api/questions', (context) =>
  context.body(bytes, 200, { 'Content-Type': 'application/json' }),
)
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' }, () =>
  process.stdout.write('ready\n'),
)
