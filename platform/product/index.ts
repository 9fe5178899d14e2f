/** A product: pages and settings of an application that is built on Greenroom, in the folder of its project. */
export { SHADES, type Shades } from './colours.ts';
export { ProductError } from './product-error.ts';
export { CONFIG_FILES, type Product, readProduct } from './read-product.ts';
export type {
  NavigationEntry,
  PageSwitches,
  ProductConfig,
  SourceLists,
} from './schema.ts';
