/** Finds the integrations with other libraries that are on the class path or module path. */
package dev.kopf4j.integration;
