export { contextsOf, ruleFor } from './find-rule.ts'
export { type AllowList, type BranchRule, copyRules, isListed } from './store.ts'
