export { armorKeys } from './armor.ts'
export { type Judgement, judgeSignatures, type Verdict, weighSignatures } from './judge-signatures.ts'
export { isKeyThere, listCertificates } from './store.ts'
