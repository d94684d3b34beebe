// What ours is measured beside: an executable with Elysia, bun:sqlite and two routes, and nothing else. `bare-server DATABASE [RECORD]`
import { Database } from 'bun:sqlite'
import { Elysia } from 'elysia'

const [, , path, record = '{}'] = process.argv
const db = new Database(path, { create: true })
db.run('PRAGMA journal_mode = WAL')
const answer = JSON.parse(record)
const app = new Elysia({ handler: { standardHostname: false } })
  .get('/api/v1/version', () => db.query('SELECT sqlite_version() AS version').get())
  .get('/api/v1/record', () => answer)
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
console.log(`listening on http://127.0.0.1:${server.port}/`)
