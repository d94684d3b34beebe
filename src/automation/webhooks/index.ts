export { webhooks } from './routes.ts'
export { mayFire } from './rules.ts'
export { type HookSecrets, openSecrets } from './secrets.ts'
