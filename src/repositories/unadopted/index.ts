export { sweepUnadopted } from './places.ts'
