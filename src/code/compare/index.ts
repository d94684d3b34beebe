export { compareText, findCompared, listCompared } from './compare-refs.ts'
export { parseComparison } from './parse-comparison.ts'
export { compare } from './routes.ts'
