export { apiDocs } from './routes.ts'
export { describeApi } from './document.ts'
