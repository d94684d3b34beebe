export { serveRaw } from './serve-raw.ts'
