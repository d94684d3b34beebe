export { createOrg } from './create-org.ts'
export { CreateOrgOption, Organization } from './schema.ts'
export { listSolelyOwnedOrgs } from './store.ts'
export { presentOrg } from './view.ts'
