export { probes } from './probe-routes.ts'
export { misc } from './routes.ts'
