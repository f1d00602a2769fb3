/**
 * Tells the API server which requests it has to ask the operator about: writes the webhook configurations that follow
 * from the admission handlers, again when the resources change or others take them away, and takes them back at the
 * end. What another version has written, and the API server asks this one for in vain, goes.
 *
 * <p>{@code WebhookConfigurationTask} says when; {@code ManagedWebhookConfigurations} and {@code ManagedConversions}
 * write, for reviews and for conversions; what they write is made by pure classes: {@code WebhookConfigurationContent},
 * {@code WebhookConfigurationContent.WebhookFilters} and {@code ManagedConversions.DefinitionContent}, all with a
 * {@code WebhookAddress}. Whom else the API server is to trust at the operator's address, both ask
 * {@code AuthoritiesBeside}.
 */
package dev.kopf4j.engine.admission.configuration;
