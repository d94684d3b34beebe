export { type Judgement, judgeSignatures, type SignedObject, type Verdict, weighSignatures } from './judge-signatures.ts'
export { isKeyThere } from './store.ts'
