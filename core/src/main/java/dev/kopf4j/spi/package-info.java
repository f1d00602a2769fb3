/** The interface that modules for other libraries implement, such as {@code kopf4j-fabric8}. */
package dev.kopf4j.spi;
