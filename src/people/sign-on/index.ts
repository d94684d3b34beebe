export { namesOfSources } from './links.tsx'
export { countIdentitiesOf } from './store.ts'
export { SignInElsewhere } from './templates.tsx'
