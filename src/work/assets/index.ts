export { keepAssets } from './change-assets.ts'
export { assets } from './routes.ts'
