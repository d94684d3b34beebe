export { addSource, deleteSource, editSource, getSourceRow } from './change-sources.ts'
export { CreateAuthSourceOption, EditAuthSourceOption } from './schema.ts'
export { testSource } from './test-source.ts'
export { presentSource } from './view.ts'
