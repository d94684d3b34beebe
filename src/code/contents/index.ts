export { serveRaw } from './serve-raw.ts'
export { showHome } from './show.tsx'
