export { sweepUnadopted } from './places.ts'
export { unadopted } from './routes.ts'
