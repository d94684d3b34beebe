export { enter } from './enter.ts'
export { countFactors } from './store.ts'
export { takeAwayFactors } from './take-away.ts'
