package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.Collection;

/** Tells the API server which webhooks there are, and where. Called by one task at a time. */
public interface WebhookConfigurations {
    /** Somebody else does it. */
    WebhookConfigurations UNMANAGED = new WebhookConfigurations() {
        @Override
        public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig) {
            // As the operator was told: admission.managed is not set.
        }

        @Override
        public void cleanUp() {
            // Nothing was written.
        }
    };

    /** Two of them, one after the other. */
    static WebhookConfigurations all(WebhookConfigurations first, WebhookConfigurations second) {
        return new WebhookConfigurations() {
            @Override
            public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig)
                    throws InterruptedException {
                first.configure(resources, clientConfig);
                second.configure(resources, clientConfig);
            }

            @Override
            public void cleanUp() throws InterruptedException {
                first.cleanUp();
                second.cleanUp();
            }
        };
    }

    /**
     * From now on the webhooks are for these resources, and are reached in this way.
     *
     * @throws OperatorException if the operator may not write them
     * @throws InterruptedException if the operator stops
     */
    void configure(Collection<Resource> resources, WebhookClientConfig clientConfig) throws InterruptedException;

    /** The operator ends: only what is to outlive it stays. */
    void cleanUp() throws InterruptedException;
}
