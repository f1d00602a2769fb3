/** Strategic merge patches; the others are those of {@code dev.kopf4j.json}. Pure functions over JSON trees. */
package dev.kopf4j.devcluster.patch;
