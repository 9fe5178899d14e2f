/** The product's name in titles. */
export const SITE_NAME = 'Greenroom';
