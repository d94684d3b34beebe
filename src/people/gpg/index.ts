export { judgeSignatures, type SignedObject, type Verdict } from './judge-signatures.ts'
