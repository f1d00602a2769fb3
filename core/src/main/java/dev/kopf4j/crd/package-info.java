/**
 * Custom resources as Java types: annotations that say of a record which resource it is, and what its fields may hold;
 * and the conditions that they share.
 *
 * <p>Handlers name such a type in place of the resource. The module {@code kopf4j-types} makes custom resource
 * definitions of it; an operator does not need that module.
 */
package dev.kopf4j.crd;
