/** The product's name, as it stands in titles. */
export const SITE_NAME = 'Greenroom';
