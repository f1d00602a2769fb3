/** Label and field selectors: parsing and matching. Pure. */
package dev.kopf4j.devcluster.selector;
