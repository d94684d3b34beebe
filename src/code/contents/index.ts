export { refuseEditing } from './rules.ts'
export { serveRaw } from './serve-raw.ts'
export { showHome } from './show.tsx'
