// What the start is measured by: an executable with Elysia, bun:sqlite and one route, and nothing else. `bare-server DATABASE`
import { Database } from 'bun:sqlite'
import { Elysia } from 'elysia'

const db = new Database(process.argv[2], { create: true })
db.run('PRAGMA journal_mode = WAL')
const app = new Elysia({ handler: { standardHostname: false } }).get('/api/v1/version', () => db.query('SELECT sqlite_version() AS version').get())
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: app.fetch })
console.log(`listening on http://127.0.0.1:${server.port}/`)
