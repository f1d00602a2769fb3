package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The definitions that the operator has conversions for. What is written there stays when the operator ends: without a
 * webhook the API server would take objects of one version for those of another. Confined to one task at a time.
 */
public final class ManagedConversions implements WebhookConfigurations {
    private final List<ConvertedDefinition> definitions;

    /**
     * Nothing is written yet.
     *
     * @param managed true to write; false to look only
     */
    public ManagedConversions(KubernetesApi api, List<ConversionFunction> functions, boolean managed) {
        Map<String, List<ConversionFunction>> byDefinition =
                functions.stream().collect(Collectors.groupingBy(ConversionFunction::definition));
        this.definitions = byDefinition.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> new ConvertedDefinition(api, each.getKey(), each.getValue(), managed))
                .toList();
    }

    @Override
    public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig)
            throws InterruptedException {
        for (ConvertedDefinition each : definitions) {
            each.look(clientConfig);
        }
    }

    @Override
    public void cleanUp() {
        // See above: it stays.
    }
}
