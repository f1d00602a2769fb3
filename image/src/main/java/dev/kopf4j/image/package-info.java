/**
 * Container images in three forms (a tar, a folder of the OCI layout, a registry), made by Jib of layers of files on a
 * base: an image in a registry or in a tar, or a root file system.
 *
 * <p>The same files make the same image, bit by bit: names are sorted, and times are fixed.
 */
package dev.kopf4j.image;
