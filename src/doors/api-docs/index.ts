export { describeApi } from './document.ts'
export { apiDocs } from './routes.ts'
