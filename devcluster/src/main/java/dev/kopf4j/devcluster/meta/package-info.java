/** What all objects have in common: metadata and conditions. Pure. */
package dev.kopf4j.devcluster.meta;
