export { keys } from './routes.ts'
export { CreateKeyOption, PublicKey } from './schema.ts'
export { addPublicKey, deletePublicKey } from './user-keys.ts'
export { presentPublicKey } from './view.ts'
