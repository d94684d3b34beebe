export { type Diagnosis, examine, isWell } from './examine.ts'
