package dev.kopf4j.devcluster.resource;

/** The buckets of the built-in resources that other parts of the server read: the names of {@code resources.json}. */
public final class Buckets {
    /** The bucket of config maps. */
    public static final String CONFIG_MAPS = "configmaps";

    /** The bucket of custom resource definitions. */
    public static final String CUSTOM_RESOURCE_DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";

    /** The bucket of namespaces. */
    public static final String NAMESPACES = "namespaces";

    /** The bucket of claims of volumes. */
    public static final String PERSISTENT_VOLUME_CLAIMS = "persistentvolumeclaims";

    /** The bucket of volumes. */
    public static final String PERSISTENT_VOLUMES = "persistentvolumes";

    /** The bucket of pods. */
    public static final String PODS = "pods";

    /** The bucket of limit ranges. */
    public static final String LIMIT_RANGES = "limitranges";

    /** The bucket of quotas. */
    public static final String RESOURCE_QUOTAS = "resourcequotas";

    /** The bucket of classes of priority. */
    public static final String PRIORITY_CLASSES = "scheduling.k8s.io/priorityclasses";

    /** The bucket of runtime classes. */
    public static final String RUNTIME_CLASSES = "node.k8s.io/runtimeclasses";

    /** The bucket of secrets. */
    public static final String SECRETS = "secrets";

    /** The bucket of service accounts. */
    public static final String SERVICE_ACCOUNTS = "serviceaccounts";

    /** The bucket of validating admission policies. */
    public static final String VALIDATING_ADMISSION_POLICIES =
            "admissionregistration.k8s.io/validatingadmissionpolicies";

    /** The bucket of bindings of validating admission policies. */
    public static final String VALIDATING_ADMISSION_POLICY_BINDINGS =
            "admissionregistration.k8s.io/validatingadmissionpolicybindings";

    private Buckets() {}
}
