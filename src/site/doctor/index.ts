export { type Diagnosis, examine, isWell, isWrong } from './examine.ts'
