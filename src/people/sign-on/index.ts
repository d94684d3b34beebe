export { sourcesElsewhere } from './links.tsx'
export { type Elsewhere, SignInElsewhere } from './templates.tsx'
