export { createOrg } from './create-org.ts'
export { CreateOrgOption, Organization } from './schema.ts'
export { findMember, findOrgById, insertMember, listSolelyOwnedOrgs, type MemberRow, type OrgRow } from './store.ts'
export { presentOrg } from './view.ts'
