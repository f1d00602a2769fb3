/**
 * The verbs create, update, patch, apply and delete: each is one class, with what it alone does to bodies and metadata;
 * the others have what several verbs share.
 */
package dev.kopf4j.devcluster.registry.write;
