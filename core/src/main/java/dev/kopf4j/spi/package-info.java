/** What other libraries implement to work together with the framework. */
package dev.kopf4j.spi;
