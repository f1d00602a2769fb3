/**
 * What goes into the image of an operator: the files, laid out in a folder as they will lie in the image, a Java
 * runtime made for them, and its start-up cache. The image itself is made by a tool of the module {@code kopf4j-image},
 * which lies beside the program's own jars, so that it and its libraries make no start slower.
 */
package dev.kopf4j.cli.image;
