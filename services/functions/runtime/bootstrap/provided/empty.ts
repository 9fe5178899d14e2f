/** Stands for modules that declare types or fill gaps of older runtimes. */
export {};
