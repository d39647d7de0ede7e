{% load static %}// Which files the pages of a match are made of; how they are kept stands in the other file.
self.BUILD = "{{ version }}";
self.SHELL = [{% for name in shell %}"{% static name %}"{% if not forloop.last %}, {% endif %}{% endfor %}];
importScripts("{% static "js/worker.js" %}");
