package dev.kopf4j.engine.rights;

import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.registration.Registration;
import dev.kopf4j.rbac.DeclaredRule;
import dev.kopf4j.rbac.PolicyRule;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The rights that handlers declare by {@link PolicyRule}, or operators for functions. Pure.
 *
 * @param served where the operator's handlers work
 */
record DeclaredRules(Set<RightScope> served) {
    List<RequiredRule> of(List<Registration> registrations) {
        List<RequiredRule> rules = new ArrayList<>();
        for (Registration registration : registrations) {
            if (registration instanceof Registration.Annotated(Object beanOrClass)) {
                Class<?> type = beanOrClass instanceof Class<?> given ? given : beanOrClass.getClass();
                add(type, type.getSimpleName(), rules);
                for (Method method : HandlerMethods.of(type)) {
                    add(method, type.getSimpleName() + "." + method.getName(), rules);
                }
            } else if (registration instanceof Registration.Entitled(DeclaredRule rule)) {
                add(rule, "policyRule of the operator", rules);
            }
        }
        return rules;
    }

    private void add(AnnotatedElement element, String title, List<RequiredRule> rules) {
        for (PolicyRule rule : element.getAnnotationsByType(PolicyRule.class)) {
            add(DeclaredRule.of(rule), "@PolicyRule of " + title, rules);
        }
    }

    private void add(DeclaredRule rule, String reason, List<RequiredRule> rules) {
        for (RightScope scope : scopes(rule)) {
            for (String group : rule.apiGroups()) {
                for (String resource : rule.resources()) {
                    rules.add(new RequiredRule(scope, group, resource, rule.verbs(), rule.resourceNames(), reason));
                }
            }
        }
    }

    private Set<RightScope> scopes(DeclaredRule rule) {
        if (rule.clusterwide()) {
            return Set.of(RightScope.CLUSTER);
        }
        if (rule.namespace().isEmpty()) {
            return served;
        }
        return Set.of(rule.namespace().equals(PolicyRule.OWN) ? RightScope.OWN : RightScope.of(rule.namespace()));
    }
}
