export { probes } from './probes.ts'
export { misc } from './routes.ts'
