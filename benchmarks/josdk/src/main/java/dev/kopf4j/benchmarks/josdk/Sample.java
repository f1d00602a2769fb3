package dev.kopf4j.benchmarks.josdk;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** The object of the measurement, as the SDK wants it: a class. */
@Group("bench.kopf4j.dev")
@Version("v1")
public final class Sample extends CustomResource<Map<String, Object>, Map<String, Object>> implements Namespaced {}
