/**
 * Tells the API server which requests it has to ask the operator about: writes the webhook configurations that follow
 * from the admission handlers, again when the resources change, and takes them back at the end.
 */
package dev.kopf4j.engine.admission.configuration;
